import manifest from '../../package.json' with { type: 'json' }
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { ToolError } from '../kernel/error.ts'
import { createRecorder, type Recorder } from '../runtime/recording/recorder.ts'
import type { Line } from '../runtime/recording/recording.ts'
import { sealLine } from '../runtime/recording/seal.ts'

/** A file that records calls. */
export interface OpenRecording {
  readonly recorder: Recorder
  /** Throws `io` if not everything could be written: an incomplete recording is useless. */
  close(): void
  /** Closes it without reporting write errors. */
  abandon(): void
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants
const BEGINNING = '{"type":"recording",'

/** Opens a file to record calls in, readable only by its owner. Continues an existing recording. */
export function openRecording(path: string, version: string = manifest.version): OpenRecording {
  const fd = openFile(path)
  let failure: unknown
  const write = (line: Line) => {
    if (failure !== undefined) return
    try {
      writeWhole(fd, Buffer.from(`${sealLine(line)}\n`))
    } catch (cause) {
      failure = cause
    }
  }
  try {
    ensureRecording(fd, path)
    const recorder = createRecorder(write, version)
    return {
      recorder,
      abandon: () => closeSync(fd),
      close() {
        closeSync(fd)
        if (failure !== undefined)
          throw new ToolError('io', `Not everything was recorded in '${path}': ${messageOf(failure)}`, {
            hint: 'The calls themselves were made; free space and record them again',
            cause: failure,
          })
      },
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (cause) {
    throw new ToolError('invalid_input', `Calls cannot be recorded in '${path}': ${messageOf(cause)}`, { cause })
  }
}

/** Refuses a file with other content, which stays unchanged. */
function ensureRecording(fd: number, path: string): void {
  const stats = fstatSync(fd)
  const begins = Buffer.alloc(BEGINNING.length)
  const last = Buffer.alloc(1)
  if (stats.isFile() && stats.size === 0) return
  if (stats.isFile()) {
    readSync(fd, begins, 0, begins.length, 0)
    readSync(fd, last, 0, 1, stats.size - 1)
    if (begins.toString() === BEGINNING && last.toString() === '\n') return
  }
  throw new ToolError('invalid_input', `'${path}' already exists and is not a recording, so nothing is written to it`, {
    hint: 'Name another file, or remove this one',
  })
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
