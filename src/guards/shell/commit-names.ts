/** What a word that names a revision certainly leads to. */
export type NamedBy = 'commit' | 'reference' | 'object'

const PARENT = String.raw`(~\d*|\^\d*|\^\{commit\}|\^\{/[^}]*\})`
/** HEAD is a commit always, and so is whatever has parents; the tree of HEAD has the same paths. */
const COMMIT = new RegExp(String.raw`^((HEAD|@)(@\{[^}]*\})?${PARENT}*(\^\{tree\})?|[^:]+${PARENT})$`)
/** A hash may be that of a file or of a directory, whose paths begin elsewhere. */
const OBJECT = /:|^[0-9a-f]{4,64}($|[\^~@])|-g[0-9a-f]{4,}($|[\^~@])/i

/** What a revision, or a range of them, is named by: a branch is a reference, as is a tag, which may lead to a file. */
export function namedBy(word: string): NamedBy {
  const ends = word.startsWith(':') ? [word] : word.replace(/^\^/, '').split(/\.{2,3}/)
  const uncertain = ends.filter(end => end !== '' && !COMMIT.test(end))
  if (uncertain.some(end => OBJECT.test(end))) return 'object'
  return uncertain.length > 0 ? 'reference' : 'commit'
}
