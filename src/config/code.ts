import { z } from 'zod'
import { DEFAULTS } from './defaults.ts'

/** A language server besides the built-in ones. */
export const languageServer = z.strictObject({
  language: z.string().min(1).max(100).describe('The name of the language, in messages'),
  command: z.string().min(1).max(1_000).describe('A program on PATH, or its absolute path'),
  args: z
    .array(z.string().max(10_000))
    .max(100)
    .default([])
    .describe('Its arguments; it must use standard input and output'),
  extensions: z
    .array(z.string().regex(/^[A-Za-z0-9_+-]{1,20}$/, 'an extension without the dot'))
    .min(1)
    .max(100)
    .describe('Extensions of its files, without the dot'),
  initializationOptions: z.unknown().optional().describe('Passed to it at its start'),
})

/** What answers report about changes, and which changes are refused. */
export const effects = z.strictObject({
  mode: z
    .enum(['off', 'quick', 'complete'])
    .optional()
    .describe(
      `Whether answers of our own contract report what a change breaks: what is known at the deadline, or everything. Default: ${DEFAULTS.effects.mode}`,
    ),
  deadlineMs: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe(`How long a quick answer waits for it. Default: ${DEFAULTS.effects.deadlineMs}`),
  refuse: z
    .enum(['nothing', 'new-errors'])
    .optional()
    .describe(
      `new-errors: a commit that adds errors, or whose effects are not known in time, does not land, whatever the contract. Default: ${DEFAULTS.effects.refuse}`,
    ),
})
