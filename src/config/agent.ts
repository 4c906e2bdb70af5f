import { z } from 'zod'

const most = (what: string) => z.int().min(1).optional().describe(`${what}. Default: no limit`)

const price = z.number().min(0)

/** Runs of `toolwright agent`. */
export const agent = z.strictObject({
  maxTurns: most('Answers of the model in a run'),
  maxTotalTokens: most('Input and output tokens of all requests of a run'),
  maxSeconds: z.number().positive().optional().describe('Seconds that a run may take. Default: no limit'),
  maxCost: z.number().positive().optional().describe('Cost of a run, in the currency of the prices. Default: no limit'),
  prices: z
    .record(
      z.string().min(1).max(200),
      z.strictObject({ input: price.describe('Of a million tokens'), output: price.describe('Of a million tokens') }),
    )
    .optional()
    .describe('Prices of models, by PROVIDER/NAME; nothing has a price unless it is here'),
  onLimit: z
    .enum(['stop', 'ask'])
    .optional()
    .describe('ask pauses at a limit where a person can raise it. Default: stop'),
  maxRetries: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('How often a request is made again after 429, 5xx or a broken connection. Default: 4'),
  maxSendBacks: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('How often an answer that does not match its schema is sent back. Default: 2'),
  promptOnly: z
    .array(z.string().min(1).max(200))
    .max(1_000)
    .optional()
    .describe('Models without calls of their own, as PROVIDER/NAME: they get the tools in their prompt'),
})

export type AgentConfig = z.output<typeof agent>
