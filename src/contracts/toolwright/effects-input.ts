import { z } from '../tool.ts'

/** For every tool that changes files. */
export const effectsInput = () => ({
  effects: z
    .enum(['off', 'quick', 'complete'])
    .optional()
    .describe(
      'Whether `meta.effects` tells what the change breaks: not, what is known at once (the default), or waiting for all of it',
    ),
})
