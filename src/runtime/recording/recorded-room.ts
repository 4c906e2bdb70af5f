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
  return {
    room: {
      most,
      async sizeOf(data, json) {
        const size = await sizeOf(data, json)
        sizes.push(size)
        return size
      },
    },
    recorded: { most, sizes },
  }
}

/** Replays the recorded sizes. An extra question finds no room: the answer is a different one. */
export function replayRoom({ most, sizes }: RecordedRoom): AnswerRoom {
  const left = [...sizes]
  return { most, sizeOf: () => left.shift() ?? Infinity }
}
