import { resolve } from 'node:path'
import type { Recorder } from '../../runtime/recording/recorder.ts'
import type { Terminal } from './terminal.ts'

/** Runs work and records its calls in the file that `--record` names, if given. */
export async function withRecording<T>(
  file: string | undefined,
  { cwd, version }: Terminal,
  work: (options: { readonly record?: Recorder }) => Promise<T>,
): Promise<T> {
  if (file === undefined) return work({})
  const { openRecording } = await import('../open-recording.ts')
  const recording = openRecording(resolve(cwd, file), version)
  let result: T
  try {
    result = await work({ record: recording.recorder })
  } catch (error) {
    // The failure of the work takes precedence for the caller.
    recording.abandon()
    throw error
  }
  recording.close()
  return result
}
