import { useState, type ReactNode } from "react";
import { isCut, useEvents } from "../../api/events.ts";
import { goTo, useStored } from "../../ui/address/hooks.ts";

const [ON, OFF] = ["on", "off"] as const;
/** Names in the browser's storage. */
const NOTIFY = "approval-notifications";
const SOUND = "approval-sound";

/** Notifies the person of each call that begins to wait, as they chose. Rendered once, whatever page is shown. */
export function useApprovalNotices(): void {
  useEvents((event) => {
    if (event.type !== "approval.pending") return;
    // Read when it is needed: the switches may have been set in another tab.
    const { localStorage } = window;
    if (localStorage.getItem(SOUND) === ON) playTone();
    if (localStorage.getItem(NOTIFY) === ON && document.visibilityState === "hidden")
      showNotification(isCut(event) ? LONG : event.approval);
  });
}

interface Waiting {
  readonly id: string;
  readonly question: { readonly heading: string; readonly reason: string };
}

/** Stands for a request that was too long for the stream of events. */
const LONG: Waiting = { id: "", question: { heading: "Approve a call", reason: "Its input is long." } };

function showNotification({ id, question }: Waiting): void {
  if (!mayNotify()) return;
  // One id is one notification, also with several tabs.
  const notification = new Notification(`${question.heading}?`, { body: question.reason, tag: id });
  notification.addEventListener("click", () => {
    window.focus();
    goTo("approvals", id);
    notification.close();
  });
}

function mayNotify(): boolean {
  return "Notification" in window && Notification.permission === "granted";
}

/** Two short tones. A browser that has not been clicked in plays none. */
function playTone(): void {
  const audio = new AudioContext();
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = new OscillatorNode(audio, { frequency });
    tone.connect(new GainNode(audio, { gain: 0.08 })).connect(audio.destination);
    tone.start(audio.currentTime + index * 0.14);
    tone.stop(audio.currentTime + index * 0.14 + 0.12);
    if (index === 1) tone.addEventListener("ended", () => void audio.close());
  }
}

/** Switches for notifications of the browser and for a sound. */
export function NoticeChoices(): ReactNode {
  const [notify, setNotify] = useStored(NOTIFY, OFF);
  const [sound, setSound] = useStored(SOUND, OFF);
  const [isRefused, setRefused] = useState(false);
  const changeNotify = async (isOn: boolean): Promise<void> => {
    if (!isOn) return setNotify(OFF);
    const permission = "Notification" in window ? await Notification.requestPermission() : "denied";
    setRefused(permission !== "granted");
    if (permission === "granted") setNotify(ON);
  };
  return (
    <div className="row small">
      <label className="row">
        <input
          type="checkbox"
          checked={notify === ON && mayNotify()}
          onChange={({ target }) => void changeNotify(target.checked)}
        />
        Notify me
      </label>
      <label className="row">
        <input
          type="checkbox"
          checked={sound === ON}
          onChange={({ target }) => {
            setSound(target.checked ? ON : OFF);
            if (target.checked) playTone();
          }}
        />
        Sound
      </label>
      {isRefused && (
        <span className="muted" role="status">
          The browser does not allow notifications of this page.
        </span>
      )}
    </div>
  );
}
