import { ToolError } from '../../../kernel/error.ts'
import { notDefined } from '../callers/not-defined.ts'
import { withDots } from '../callers/with-dots.ts'
import { isCompanion, symbolAt, type Found, type ProjectFile } from '../resolve/project.ts'
import { fullName, wholeName } from './declared-of.ts'

const ASKED = /^(function|method|class|interface|enum)$/

/** The symbol that a name means in a file, with all its overloads; `no_match` where there is none, `ambiguous` where there are several. */
export function chosen(file: ProjectFile | undefined, asked: string, path: string): readonly [Found, ...Found[]] {
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
  const [first, ...more] = found
  if (first && only && (others.length === 0 || holders.size === 1)) return [first, ...more]
  if (!only) throw notDefined(asked, path, all.map(wholeName), file?.code)
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
