/** Words that people use for the same thing, one group on a line. A word may be in several groups. */
const GROUPS = `
delete remove erase discard drop unlink trash destroy wipe clear purge
create make new add generate open
write save store put persist dump
read view show display see look open load inspect print
get fetch retrieve download read obtain pull scrape
list enumerate show all browse entries
find search locate lookup query discover seek match
edit change modify update alter replace revise rewrite fix adjust
run execute launch start invoke call perform
stop kill terminate abort cancel end quit halt
finish complete conclude end done close
send post submit deliver transmit
tell message notify inform report
copy duplicate clone
move rename
remember memorize recall keep memory store
think reason reflect consider thought
delegate assign hand subtask
wait block await
pause suspend
resume continue
enable activate switch turn
disable deactivate
repeat replay resend again retry
undo revert restore rollback
capture intercept record
press click tap push button
type enter fill input
describe analyze recognize examine
build compile
define create set
limit restrict scope allow deny
log record note
several many multiple
parallel together concurrent batch
file document
folder directory tree
text content string
image picture photo screenshot png
page website site web
url link address
internet web online
command shell terminal bash console
process job program service
background long-running
task todo item checklist
note memo
goal objective aim
agent worker assistant helper teammate
issue ticket bug
message mail email letter
vulnerability weakness security exploit
security penetration pentest scan
request http traffic
result output answer response
user person people contact customer
repository repo project
setting preference option config configuration
summary report
event meeting appointment calendar
fact information data
plan todo steps
checkpoint snapshot backup
code source script
tool function capability
calculate compute math
price cost
order purchase buy
invoice bill payment
forecast weather
sheet spreadsheet table
chat conversation discussion thread
channel room
branch tag
pull merge
server host machine
database table sql
`;

/** Returns a function from a word to the words of its groups. Words are compared as `stem` returns them. */
export function createSynonyms(stem: (word: string) => string): (word: string) => readonly string[] {
  const synonyms = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split("\n")) {
    const words = line.split(" ").map(stem);
    for (const word of words) synonyms.set(word, new Set([...(synonyms.get(word) ?? []), ...words]));
  }
  return (word) => [...(synonyms.get(word) ?? [])].filter((other) => other !== word);
}
