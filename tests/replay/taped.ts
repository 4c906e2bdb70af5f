import { readRecording } from '../../src/runtime/recording/read-recording.ts'
import { createRecorder, type Recorder } from '../../src/runtime/recording/recorder.ts'
import type { CallLine } from '../../src/runtime/recording/recording.ts'
import { replay, type Replayed } from '../../src/runtime/recording/replay.ts'
import { sealLine } from '../../src/runtime/recording/seal.ts'
import { loadContract } from '../../src/toolkit.ts'

export interface Taped {
  readonly recorder: Recorder
  /** The recording as a file holds it. */
  text(): string
  calls(): readonly CallLine[]
}

/** A recording in memory. */
export function taped(): Taped {
  const lines: string[] = []
  const text = () => lines.map(line => `${line}\n`).join('')
  return {
    recorder: createRecorder(line => lines.push(sealLine(line)), '9.9.9'),
    text,
    calls: () => readRecording(text()).calls.map(({ call }) => call),
  }
}

/** Every call of a recording, run again. */
export async function replayed(text: string): Promise<Replayed[]> {
  const calls: Replayed[] = []
  for await (const call of replay(readRecording(text), loadContract)) calls.push(call)
  return calls
}

/** Those that did not come out as recorded, or could not be run. */
export const unequal = (calls: readonly Replayed[]): Replayed[] =>
  calls.filter(({ difference, leftOut }) => difference !== undefined || leftOut !== undefined)
