import type { AnswerRoom } from '../../kernel/answer-room.ts'

/** How much of an answer a caller could take, and what they said that each answer takes, in the order of the questions. */
export interface RecordedRoom {
  readonly most: number
  readonly sizes: readonly number[]
}

/** A room that notes what it says. */
export function recordRoom({ most, sizeOf }: AnswerRoom): {
  readonly room: AnswerRoom
  readonly recorded: RecordedRoom
} {
  const sizes: number[] = []
  return {
    room: {
      most,
      async sizeOf(data) {
        const size = await sizeOf(data)
        sizes.push(size)
        return size
      },
    },
    recorded: { most, sizes },
  }
}

/** A room that says again what was noted. A question more than then finds no room: the answer is another one. */
export function replayRoom({ most, sizes }: RecordedRoom): AnswerRoom {
  const left = [...sizes]
  return { most, sizeOf: () => left.shift() ?? Infinity }
}
