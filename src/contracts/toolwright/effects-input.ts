import { z } from '../tool.ts'

/** For every tool that changes files. */
export const effectsInput = () => ({
  effects: z
    .enum(['off', 'quick', 'complete'])
    .optional()
    .describe(
      'What the answer says the change breaks: nothing, what is known at once (the default), or all, waiting for it',
    ),
})
