import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { appendPrivateLine, makePrivateDirectory } from './private-file.ts'
import { isRunning, thisProcess, type ProcessIdentity } from './process-identity.ts'

/** One line of the log of an agent's run. */
export interface RunLine {
  readonly type: string
  readonly [field: string]: unknown
}

/** The log of one run, from which it can be resumed. */
interface RunLog {
  /** What was logged before this process opened it. */
  readonly before: readonly RunLine[]
  append(line: RunLine): void
}

/** Starts the log of a run. */
export function createRunLog(directory: string, id: string): RunLog {
  makePrivateDirectory(directory)
  return opened(directory, id, [])
}

/** Opens the log of an earlier run. Refuses one that still goes on. */
export function openRunLog(directory: string, id: string): RunLog {
  const before = readRunLog(directory, id)
  const last = before.findLast(({ type }) => type === 'opened' || type === 'end')
  if (last?.type === 'opened' && isRunning(last['owner'] as ProcessIdentity))
    throw new ToolError('conflict', `The run '${id}' is still going on in another process`, {
      hint: 'Stop it there with Ctrl-C first',
    })
  return opened(directory, id, before)
}

function readRunLog(directory: string, id: string): readonly RunLine[] {
  const file = fileOf(directory, id)
  if (!/^[0-9a-f]{1,32}$/.test(id) || !existsSync(file))
    throw new ToolError('not_found', `There is no run '${id}' here`, {
      hint: 'The id of a run is in its first line; toolwright log shows it too',
    })
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(line => lineOf(line))
}

/** A line that a crash tore is none. */
function lineOf(text: string): readonly RunLine[] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof Object(value).type === 'string' ? [value as RunLine] : []
  } catch {
    return []
  }
}

function opened(directory: string, id: string, before: readonly RunLine[]): RunLog {
  const file = fileOf(directory, id)
  let isOpen = false
  return {
    before,
    append(line) {
      if (!isOpen) {
        // A line that a crash tore ends here.
        if (before.length > 0) appendPrivateLine(file, '')
        appendPrivateLine(file, JSON.stringify({ type: 'opened', owner: thisProcess() }))
        isOpen = true
      }
      appendPrivateLine(file, JSON.stringify(line))
    },
  }
}

const fileOf = (directory: string, id: string): string => join(directory, `${id}.jsonl`)
