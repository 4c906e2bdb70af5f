import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { languageOf } from '../../languages/registry.ts'
import { ToolError } from '../../kernel/error.ts'
import { isSettings } from '../../languages/javascript/modules/module-settings.ts'
import { parseFileRecord } from '../index/parse-file-record.ts'
import { page, unparsedFiles } from '../index/table/answer.ts'
import type { FileRecord } from '../index/table/entry.ts'
import { createFileTable, type FileTable } from '../index/table/file-table.ts'
import type { IndexAnswer, IndexQuery } from '../index/types.ts'
import type { ByteCache } from './byte-cache.ts'
import { readFiles } from './read-files.ts'
import type { RepositorySource } from './types.ts'

/** Larger files are generated; they are listed without being read. */
const LARGEST = 1024 * 1024

/** Queries the index of a repository, which is built with the first request and valid for its commit. */
export async function queryRepository(
  source: RepositorySource,
  query: IndexQuery,
  options: { readonly limit: number; readonly skip?: number },
  { tables, deadline }: { readonly tables: ByteCache<FileTable>; readonly deadline: number },
): Promise<IndexAnswer> {
  // Other callers may have other hidden files.
  const key = `${source.version} ${hash('sha256', (await source.hidden()).join('\0'))}`
  const table = tables.get(key) ?? (await buildTable(source, deadline))
  tables.set(key, table, table.all().length * 2_000 + 1_000)
  return {
    ...page(table, query, options),
    repoHash: table.hash(),
    current: true,
    unparsed: unparsedFiles(table, undefined),
  }
}

async function buildTable(source: RepositorySource, deadline: number): Promise<FileTable> {
  const table = createFileTable()
  const files = await source.files()
  const isParsed = ({ path, size }: { readonly path: string; readonly size: number }) =>
    size <= LARGEST && (languageOf(path) !== undefined || isSettings(path))
  const put = ({ path, size, sha }: (typeof files)[number], said: FileRecord) =>
    table.put({ path, size, mtimeMs: 0, content: sha, ...said })
  for (const file of files) if (!isParsed(file)) put(file, {})
  const parsableFiles = files.filter(isParsed)
  let readCount = 0
  for await (const { file, bytes } of readFiles(source, parsableFiles, deadline)) {
    put(file, await parseFileRecord(file.path, bytes))
    readCount++
    // Lets other work run after each file.
    await setImmediate()
  }
  if (readCount === parsableFiles.length) return table
  throw new ToolError(
    'timeout',
    `Only ${readCount} of ${parsableFiles.length} files could be read in time for the index`,
    {
      hint: 'Ask again to continue; files already read are cached',
      details: { read: readCount, files: parsableFiles.length },
    },
  )
}
