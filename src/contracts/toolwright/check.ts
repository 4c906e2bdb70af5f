import { repairJson } from '../../machine/validation/repair-json.ts'
import { defineTool, z } from '../tool.ts'
import { exactlyOne } from './required-fields.ts'

export const check = defineTool({
  name: 'check',
  version: '1.1.0',
  description:
    'Check data against a registered `schema` before you return it: as `data`, or as `text` that contains JSON. ' +
    'From `text` it drops words and code fences, repairs trailing commas, single quotes, comments and open brackets, and returns the JSON as `data`.',
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
      warnings: z.array(z.string()).describe('Warnings never make data invalid'),
      data: z.unknown().optional().describe('The JSON found in `text`'),
      cut: z.boolean().optional().describe('Other text surrounded it'),
      repaired: z.boolean().optional().describe('It was not valid JSON, and was repaired'),
    }),
  effects: [],
  claims: () => [],
  async run({ schema, data, text }, { validation }) {
    if (text === undefined) return spread(await validation.check(schema, data))
    const repair = repairJson(text)
    if (!repair) return { valid: false, errors: ['The text contains no complete JSON'], warnings: [] }
    return {
      ...spread(await validation.check(schema, repair.value)),
      data: repair.value,
      cut: repair.cut,
      ...(repair.repaired && { repaired: true }),
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
