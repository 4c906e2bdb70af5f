import { setPriority } from 'node:os'
import { languageOf } from '../../../languages/registry.ts'
import { hashOf } from '../../../machine/workspace/disk.ts'
import { boundedNesting } from '../../parser/nesting.ts'
import { decode } from '../../model/decode.ts'
import { LARGEST } from '../../model/facts/facts-of.ts'
import { fileRecord } from '../file-record.ts'
import type { FileRecord } from '../table/entry.ts'
import { unparsedRecord } from '../unparsed-record.ts'
import { openFactsCache } from './facts-cache.ts'
import type { StoredFacts, Parsed, ToWorker, Wanted, WorkerSettings } from './messages.ts'
import { readSource } from './read-source.ts'

const PATIENT = 10
/** Each message wakes the holder of the index, which costs both as much as reading a small file. */
const TELL_MS = 50
const KEPT_AT_ONCE = 2000

/** Reads and parses files of a workspace, and stores their facts. */
export function parseFiles({ directory, cacheFile, isPatient }: WorkerSettings, tell: (at: number) => void) {
  if (isPatient) setPriority(PATIENT)
  const cache = cacheFile === undefined ? undefined : openFactsCache(cacheFile)
  let cachedFiles: IterableIterator<Parsed> | undefined
  return {
    answer(message: ToWorker) {
      if (message.type === 'load') return load()
      if (message.type === 'parse') return parse(message.files)
      return cache?.prune(message.paths)
    },
    close: () => cache?.close(),
  }

  function load(): StoredFacts {
    const files: Parsed[] = []
    try {
      cachedFiles ??= cache?.files() ?? [].values()
      for (let next = cachedFiles.next(); !next.done; next = cachedFiles.next())
        if (files.push(next.value) === KEPT_AT_ONCE) return { files, isLast: false }
    } catch {
      // Unreadable facts are parsed again.
    }
    return { files, isLast: true }
  }

  async function parse(wanted: readonly Wanted[]): Promise<readonly Parsed[]> {
    const files: Parsed[] = []
    const results: { readonly file: Parsed; readonly isStored: boolean }[] = []
    let lastTell = -Infinity
    for (const [at, { path, stamp, isUnkept }] of wanted.entries()) {
      const now = performance.now()
      if (now - lastTell >= TELL_MS) {
        tell(at)
        lastTell = now
      }
      const source = readSource(directory, path)
      if (!source) {
        files.push({ path, stamp })
        continue
      }
      const content = hashOf(source.bytes)
      const cachedRecord = cache?.said(content, path)
      const file = { path, stamp, content, ...(cachedRecord ?? (await boundedRecord(path, source.bytes))) }
      files.push(file)
      if (source.isSettled && !isUnkept) results.push({ file, isStored: cachedRecord !== undefined })
    }
    cache?.keep(results)
    return files
  }
}

/** Returns the facts of a file, unless it is nested too deeply for a parser. */
async function boundedRecord(path: string, bytes: Uint8Array): Promise<FileRecord> {
  const language = languageOf(path)
  if (language === undefined || bytes.length > LARGEST) return fileRecord(path, bytes)
  const text = decode(bytes)
  const outcome = await boundedNesting(text, language, () => fileRecord(path, bytes, text))
  return 'value' in outcome ? outcome.value : unparsedRecord(language, outcome.failed)
}
