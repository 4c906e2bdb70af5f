import { repairJson } from '../../machine/desk/repair-json.ts'
import { defineTool, z } from '../tool.ts'
import { exactlyOne } from './required-fields.ts'

export const check = defineTool({
  name: 'check',
  version: '1.1.0',
  description:
    'Check data against a registered `schema` before you hand it in: as `data`, or as `text` with JSON in it. ' +
    'From `text` it cuts words and code fences, mends trailing commas, single quotes, comments and open brackets, and gives what it found as `data`.',
  input: () =>
    exactlyOne(
      z.strictObject({
        schema: z.string().min(1).describe('Name of a registered schema, e.g. domain_map'),
        data: z.unknown().optional(),
        text: z.string().optional().describe('JSON, with or without text around it'),
      }),
      'data',
      'text',
    ),
  output: () =>
    z.strictObject({
      valid: z.boolean(),
      errors: z.array(z.string()),
      warnings: z.array(z.string()).describe('These never make data invalid'),
      data: z.unknown().optional().describe('What was found in `text`'),
      cut: z.boolean().optional().describe('There was other text around it'),
      repaired: z.boolean().optional().describe('It was not JSON as it stood, and was mended'),
    }),
  effects: [],
  claims: () => [],
  async run({ schema, data, text }, { desk }) {
    if (text === undefined) return spread(await desk.check(schema, data))
    const found = repairJson(text)
    if (!found) return { valid: false, errors: ['The text holds no JSON that can be read as a whole'], warnings: [] }
    return {
      ...spread(await desk.check(schema, found.value)),
      data: found.value,
      cut: found.cut,
      ...(found.repaired && { repaired: true }),
    }
  },
  examples: [
    { input: { schema: 'domain_map', data: { domains: [{ name: 'sales' }], layout: {}, summary: {} } } },
    { input: { schema: 'domain_map', text: 'Here it is:\n```json\n{"domains":[],"layout":{},"summary":{}}\n```' } },
  ],
})

const spread = <T extends { readonly errors: readonly string[]; readonly warnings: readonly string[] }>(
  checked: T,
) => ({
  ...checked,
  errors: [...checked.errors],
  warnings: [...checked.warnings],
})
