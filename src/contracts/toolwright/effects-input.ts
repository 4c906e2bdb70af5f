import { z } from '../tool.ts'

/** For every tool that changes files. */
export const effectsInput = () => ({
  effects: z
    .enum(['off', 'quick', 'complete'])
    .optional()
    .describe(
      'Whether the answer reports what the change breaks: nothing, what is known at once (default), or everything, which waits',
    ),
})
