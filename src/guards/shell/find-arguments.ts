import { fileConcern, type Concern } from './concern.ts'
import { literalOf, type Word } from './script.ts'

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const TESTS =
  set(`-empty -print -print0 -prune -not -o -a -or -and ! ( ) , -true -false -depth -d -follow -nouser -nogroup -readable
  -writable -executable -mount -xdev -daystart -ls -quit -H -L -P -warn -nowarn -noleaf -ignore_readdir_race -E -x -X -s`)
const VALUED =
  set(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -mmin -atime -amin -ctime
  -cmin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -regextype -printf -lname -ilname -used -fstype -newermt -newerct`)
const FILES = set('-newer -anewer -cnewer -samefile')

/** Everything but tests of files and printing is asked for. */
export function findConcerns(words: readonly Word[]): readonly Concern[] {
  const concerns: Concern[] = []
  const say = (at: number, what: string | undefined): void => void (what !== undefined && concerns.push({ at, what }))
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    const text = word && literalOf(word)
    const next = words[at + 1]
    const value = next && literalOf(next)
    if (text === undefined) say(at, `the value of ${word?.source ?? ''} is not known`)
    else if (VALUED.has(text) || FILES.has(text)) {
      if (value === undefined) say(at + 1, `the value of ${text} is not known`)
      else if (FILES.has(text)) say(at + 1, fileConcern(value))
      at++
    } else if (text.startsWith('-') && !/^-O\d$/.test(text)) {
      if (!TESTS.has(text)) say(at, `${text} is not known to be harmless`)
    } else if (!TESTS.has(text)) say(at, fileConcern(text))
  }
  return concerns
}
