import type { Message } from "../../core/agent/message.ts";
import type { StoredMessage } from "../sessions/conversation-of.ts";
import { cutMiddle, renderMessage } from "./render-messages.ts";
import type { Summary } from "./summary.ts";
import { contentText } from "../../util/text/content-text.ts";
import { textOf } from "../../util/text/text-of.ts";

const CUTS = { said: 240, tool: 80 } as const;
const MAX_SENTENCE_CHARACTERS = 400;
const BREAKS = /\s*[\n\r\u2028\u2029]+\s*/g;

/** Summarises messages without a model: every message on one line, cut, and sentences about decisions in full. */
export function digest(messages: readonly StoredMessage[]): Summary {
  return {
    decisions: messages.flatMap(({ message }) => decisionsIn(message)),
    story: messages
      .map(({ seq, message }) => renderMessage(seq, message, CUTS).replaceAll(BREAKS, " "))
      .filter((line) => line !== "")
      .join("\n"),
  };
}

/** Permanent wishes of a person count as decisions. Tool results contain none. */
function decisionsIn(message: Message): readonly string[] {
  if (message.role === "user") {
    const text = contentText(message.content);
    return sentencesOf(text).filter((sentence) => DECIDED.test(sentence) || WISHED.test(sentence));
  }
  if (message.role === "tool") return [];
  return sentencesOf(textOf(message.parts)).filter((sentence) => DECIDED.test(sentence));
}

const DECIDED =
  /\b(?:decid(?:e|ed|es|ing)|decisions?|agreed (?:on|to)|settled on|we(?:'ll| will| shall) (?:use|keep|go with))\b/i;
const WISHED =
  /\b(?:from now on|(?:must|shall|should) (?:always|never)|let(?:'s| us) (?:use|keep|go with|stick)|always|never)\b/i;

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。！？])\s+|[\n\r\u2028\u2029]+/u)
    .map((sentence) => cutMiddle(sentence.trim(), MAX_SENTENCE_CHARACTERS))
    .filter((sentence) => sentence !== "" && !sentence.endsWith("?"));
}
