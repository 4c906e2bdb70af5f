import { nameFromBytes } from '../../machine/workspace/name.ts'

/** An existing file or directory that may not be read, with ripgrep's reason. */
export interface UnreadableFile {
  readonly path: string
  readonly why: string
}

/** Number of files to name; all are counted. */
export const MOST_NAMED = 20

/** Collects unreadable files; `unreadable` is set if there are any. */
export function unreadableList() {
  const unreadableFiles = { count: 0, files: [] as UnreadableFile[] }
  return {
    add(file: UnreadableFile): void {
      unreadableFiles.count++
      if (unreadableFiles.files.length < MOST_NAMED) unreadableFiles.files.push(file)
    },
    get: (): { unreadable?: typeof unreadableFiles } =>
      unreadableFiles.count > 0 ? { unreadable: unreadableFiles } : {},
  }
}

/** ripgrep's wording of errors for a directory that this user may not read. */
export const REFUSALS: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'Permission denied (os error 13)'],
  ['EPERM', 'Operation not permitted (os error 1)'],
])

/** `rg: ./path: Permission denied (os error 13)`. Files that no longer exist are ignored. */
const COMPLAINT = /^rg: \.\/([^]+): ([^:]+ \(os error (\d+)\))$/
const GONE = '2'

/** Separates complaints about single files from those about the search, line by line. */
export function complaintReader(onFile: (file: UnreadableFile) => void, onOther: (line: string) => void) {
  let rest = ''
  const take = (line: string): void => {
    const [, path = '', why = '', errno = ''] = COMPLAINT.exec(line) ?? []
    if (path === '') onOther(Buffer.from(line, 'latin1').toString())
    else if (errno !== GONE) onFile({ path: nameFromBytes(Buffer.from(path, 'latin1')), why })
  }
  return {
    push(bytes: Buffer): void {
      const lines = (rest + bytes.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
    },
    end(): void {
      if (rest !== '') take(rest)
      rest = ''
    },
  }
}
