import { defineTool, z } from '../tool.ts'

export const validateOutput = defineTool({
  name: 'validate_output',
  version: '1.0.0',
  description:
    'Check data against a registered output type before returning it. Errors make it invalid, warnings do not.',
  input: () =>
    z.strictObject({
      outputType: z.string().min(1).max(200).describe('The name of the type, such as domain_map'),
      data: z.unknown().describe('The output itself'),
    }),
  output: () => z.strictObject({ valid: z.boolean(), errors: z.array(z.string()), warnings: z.array(z.string()) }),
  effects: [],
  claims: () => [],
  async run({ outputType, data }, { validation }) {
    const { valid, errors, warnings } = await validation.check(outputType, data)
    return { valid, errors: [...errors], warnings: [...warnings] }
  },
  examples: [
    {
      input: { outputType: 'domain_map', data: { domains: [], layout: {}, summary: {} } },
      output: { valid: false, errors: ["Missing 'domains' array"], warnings: [] },
    },
  ],
})
