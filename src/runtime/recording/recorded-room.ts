import type { AnswerRoom } from '../../kernel/answer-room.ts'

/** The size of an answer that a caller accepted, and the sizes it reported for answers, in order. */
export interface RecordedRoom {
  readonly most: number
  readonly sizes: readonly number[]
}

/** Records the sizes that a room reports. */
export function recordRoom({ most, sizeOf }: AnswerRoom): {
  readonly room: AnswerRoom
  readonly recorded: RecordedRoom
} {
  const sizes: number[] = []
  const note = (size: number): number => {
    sizes.push(size)
    return size
  }
  return {
    room: {
      most,
      sizeOf(data, json) {
        const size = sizeOf(data, json)
        if (typeof size === 'number') return note(size)
        return size.then(note)
      },
    },
    recorded: { most, sizes },
  }
}

/** Replays the recorded sizes. An extra question finds no room: the answer is a different one. */
export function replayRoom({ most, sizes }: RecordedRoom): AnswerRoom {
  const remainingSizes = [...sizes]
  return { most, sizeOf: () => remainingSizes.shift() ?? Infinity }
}
