import type { JsonSchema } from '../../kernel/json-schema.ts'
import type { McpForm } from '../../kernel/wire-forms.ts'
import { isSharedParameter } from './instructions.ts'
import { shortSchema } from './short-answer.ts'

/** A tool as listed for models, in as few characters as possible. */
export interface CompactForm extends Omit<McpForm, 'title' | 'annotations'> {
  readonly annotations?: Partial<McpForm['annotations']>
}

/** Hints that the protocol assumes if absent. */
const DEFAULTS: McpForm['annotations'] = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/**
 * Removes what a model cannot use from a listed tool: a title that repeats the name, default hints, bounds that only a
 * broken call violates, and repetitions. Every call is checked against the whole schema.
 */
export function compactForm({ title: _title, annotations, inputSchema, outputSchema, ...form }: McpForm): CompactForm {
  return {
    ...form,
    inputSchema: compactSchema(inputSchema, explainedBy(form.description)),
    ...(outputSchema && { outputSchema: compactSchema(shortSchema(outputSchema)) }),
    ...compactHints(annotations),
  }
}

function compactHints(hints: McpForm['annotations']): Pick<CompactForm, 'annotations'> {
  // The other hints apply only to tools with changes. No client acts on an open world: the approval names each host.
  const { openWorldHint: _open, ...changing } = hints
  const relevantHints = hints.readOnlyHint ? { readOnlyHint: true } : changing
  const differingHints = Object.entries(relevantHints).filter(([name, value]) => value !== Object(DEFAULTS)[name])
  return differingHints.length > 0 ? { annotations: Object.fromEntries(differingHints) } : {}
}

/**
 * Bounds that only a broken call violates. Some providers refuse a tool with `exclusiveMinimum` or `propertyNames`,
 * which only says that names are texts.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'propertyNames',
])

/** Reports whether a parameter of this name is explained elsewhere. */
type Explained = (name: string) => boolean

/** The instructions explain shared parameters; a tool's description explains those it names in backticks. */
const explainedBy =
  (description: string): Explained =>
  name =>
    isSharedParameter(name) || new RegExp(`\`${name}[\`:]`).test(description)

function compactSchema(schema: JsonSchema, isExplained: Explained = () => false): JsonSchema {
  const compactValue = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compactValue)
    return typeof value === 'object' && value !== null ? compactSchema(value as JsonSchema, isExplained) : value
  }
  /** Property names belong to the tool and are kept. */
  const eachOf = (properties: Readonly<Record<string, JsonSchema>>): unknown =>
    Object.fromEntries(
      Object.entries(properties).map(([name, { description, enum: values, ...rest }]) => [
        name,
        compactValue({
          ...(!isExplained(name) && description !== undefined && { description }),
          ...rest,
          // The instructions name the values of a shared parameter once for all tools.
          ...(!isSharedParameter(name) && values !== undefined && { enum: values }),
        }),
      ]),
    )
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (LEFT_OUT.has(key) || (key === 'additionalProperties' && value === false)) return []
      return [[key, key === 'properties' ? eachOf(Object(value)) : compactValue(value)]]
    }),
  )
}
