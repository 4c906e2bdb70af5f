import { ToolError } from '../../kernel/error.ts'

/** Returns a path in the repository's form, without `./` and surrounding slashes; the root is the empty text. */
export function repositoryPath(path: string): string {
  const names = path.split('/').filter(name => name !== '' && name !== '.')
  if (names.includes('..') || path.includes('\0'))
    throw new ToolError('outside_workspace', `'${path.replaceAll('\0', '\\0')}' leads out of the repository`, {
      hint: 'Give a path from the root of the repository, without ..',
    })
  return names.join('/')
}

/** Returns the parent directory of a path; the root is its own parent. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
