import type { z } from '../tool.ts'

type ExactlyOne<Input, Keys extends keyof Input> = {
  [Key in Keys]: Omit<Input, Keys> & Required<Pick<Input, Key>> & { readonly [Other in Exclude<Keys, Key>]?: never }
}[Keys]

type SomeOf<Input, Keys extends keyof Input> = { [Key in Keys]: Input & Required<Pick<Input, Key>> }[Keys]

/** Requires exactly one of these fields, at run time and at compile time. */
export const exactlyOne = <Schema extends z.ZodType<object, object>, Key extends keyof z.input<Schema> & string>(
  schema: Schema,
  ...keys: readonly Key[]
): z.ZodType<z.output<Schema>, ExactlyOne<z.input<Schema>, Key>> =>
  schema.refine(input => valuesOf(input, keys).length === 1, {
    error: `Give exactly one of ${fieldList(keys, 'and')}`,
  }) as never

/** Requires one or more of these fields. */
export const someOf = <Schema extends z.ZodType<object, object>, Key extends keyof z.input<Schema> & string>(
  schema: Schema,
  ...keys: readonly Key[]
): z.ZodType<z.output<Schema>, SomeOf<z.input<Schema>, Key>> =>
  schema.refine(input => valuesOf(input, keys).some(isFilled), {
    error: `Give ${fieldList(keys, 'or')}`,
    path: keys.slice(0, 1),
  }) as never

/** A schema whose own rules enforce this type. */
export const withInputType =
  <Input>() =>
  <Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>, Input> =>
    schema as never

const fieldList = (keys: readonly string[], last: string): string => {
  const quotedKeys = keys.map(key => `\`${key}\``)
  return `${quotedKeys.slice(0, -1).join(', ')} ${last} ${quotedKeys.at(-1) ?? ''}`
}

const valuesOf = (input: object, keys: readonly string[]): readonly unknown[] =>
  keys.map(key => Reflect.get(input, key)).filter(value => value !== undefined)

const isFilled = (value: unknown): boolean => !Array.isArray(value) || value.length > 0
