/** Characters that HFS+ ignores in a name. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Folds a name as the most lenient file system known to git would: without case, without characters that HFS+ ignores,
 * without the stream and the trailing dots and spaces that NTFS drops.
 */
export function gitFoldedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase()
  const foldedName = name.replaceAll(IGNORED, '').normalize('NFKC').toUpperCase().toLowerCase()
  const stream = foldedName.indexOf(':')
  return (stream > 0 ? foldedName.slice(0, stream) : foldedName).replace(/[. ]+$/, '')
}

const PLAIN = /^[\w.-]*[\w-]$/

/** Reports whether some file system takes this name for `.git`. */
export const isDotGit = (name: string): boolean => {
  const loose = gitFoldedName(name)
  return loose === '.git' || loose === 'git~1'
}
