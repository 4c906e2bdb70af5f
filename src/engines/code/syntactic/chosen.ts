import { ToolError } from '../../../kernel/error.ts'
import { withDots } from '../callers/with-dots.ts'
import { isCompanion, symbolAt, type Found, type ProjectFile } from '../graph/resolve/project.ts'
import type { Unread } from '../symbols/file-code.ts'
import { fullName, wholeName } from './declared-of.ts'

const ASKED = /^(function|method|class|interface|enum)$/
const MOST_NAMES = 20

/** The symbol that a name means in a file, with all its overloads; `no_match` where there is none, `ambiguous` where there are several. */
export function chosen(file: ProjectFile | undefined, asked: string, path: string): readonly Found[] {
  const all = (file?.code.symbols ?? []).flatMap(({ kind, name }, number) =>
    file && name !== '' && ASKED.test(kind) ? [{ file, number }] : [],
  )
  const wanted = withDots(asked)
  const plain = wanted.replace('.Companion.', '.')
  const ways: readonly ((at: Found) => boolean)[] = [
    // With all that stands around it a name means one, though others end so.
    at => fullName(at) === wanted,
    at => namesOf(at).includes(plain),
    at => [...namesOf(at), fullName(at)].some(name => name.endsWith(`.${plain}`)),
  ]
  const found = ways.map(isMeant => all.filter(isMeant)).find(some => some.length > 0) ?? []
  // A constructor is meant by the name of its class as well.
  const holders = new Set(found.map(each => symbolAt(each)?.parent))
  const groups = Object.groupBy(found, fullName)
  const [only, ...others] = Object.values(groups).flatMap(each => (each ? [each] : []))
  if (only && (others.length === 0 || holders.size === 1)) return found
  if (!only) throw unknown(asked, path, all, file?.code.unread)
  const which = found.map(each => `${fullName(each)} (line ${symbolAt(each)?.from})`)
  throw new ToolError('ambiguous', `'${asked}' is defined ${which.length} times in ${path}`, {
    hint: `Say which one, with what stands around it: ${which.join(', ')}`,
    details: { path, symbols: which },
  })
}

/** What a companion holds is called on the class around it as well. */
function namesOf(at: Found): readonly string[] {
  const holder = { file: at.file, number: symbolAt(at)?.parent ?? -1 }
  const whole = wholeName(at)
  if (!isCompanion(holder)) return [whole]
  const outer = { file: at.file, number: symbolAt(holder)?.parent ?? -1 }
  return [whole, `${wholeName(outer)}.${symbolAt(at)?.name}`]
}

function unknown(asked: string, path: string, all: readonly Found[], unread: readonly Unread[] = []): ToolError {
  const lost = unread.filter(({ declares }) => declares.includes(asked.slice(asked.lastIndexOf('.') + 1)))
  const names = [...new Set(all.map(wholeName))]
  const known = names.length > 0 ? `It defines ${names.slice(0, MOST_NAMES).join(', ')}` : 'It defines nothing'
  return new ToolError('no_match', `${path} has no function '${asked}'`, {
    hint: [
      names.length > MOST_NAMES ? `${known} and ${names.length - MOST_NAMES} more` : known,
      ...lost.map(({ from, to }) => `lines ${from} to ${to}, where it is written, do not parse`),
    ].join('; '),
  })
}
