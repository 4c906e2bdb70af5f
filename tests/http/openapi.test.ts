import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, it } from 'vitest'
import { openApiOf } from '../../src/surfaces/http/openapi.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { useServer } from './rig.ts'

interface Operation {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface Document {
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: object
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: object
  }
}

const document = openApiOf(ROUTES) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Every value of a key, anywhere in the document. */
function valuesOf(key: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(each => valuesOf(key, each))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [...(name === key ? [each] : []), ...valuesOf(key, each)])
}

describe('the OpenAPI document', () => {
  it('has every route once, by a name of its own', () => {
    const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    expect(documented.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted())
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  it('names security schemes that exist, for every route that needs a token', () => {
    const known = Object.keys(document.components.securitySchemes)
    const used = [document.security, ...operations.map(({ operation }) => operation.security ?? [])].flat()
    expect(used.length).toBeGreaterThan(0)
    expect(used.flatMap(one => Object.keys(one)).filter(name => !known.includes(name))).toEqual([])
    const open = operations.filter(({ operation }) => operation.security?.length === 0)
    const none = ROUTES.filter(({ scope }) => scope === 'none')
    expect(open.map(({ operation }) => operation.operationId)).toEqual(none.map(({ id }) => id))
  })

  it('declares the parameters of every path, and refers only to what it has', () => {
    for (const { path, operation } of operations) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter(parameter => parameter.in === 'path')
      expect([path, declared.map(({ name }) => name)]).toEqual([path, wanted])
    }
    const found = valuesOf('$ref', document).map(String)
    expect(found.length).toBeGreaterThan(0)
    for (const target of found) {
      const place = target.replace(/^#\//, '').split('/')
      expect([target, place.reduce<unknown>((at, name) => Object(at)[name], document)]).not.toContain(undefined)
    }
  })

  it('has only schemas that a validator accepts', () => {
    const validators = new AjvJsonSchemaValidator()
    const schemas = [
      ...Object.values(document.components.schemas),
      ...operations.flatMap(({ operation }) => [
        ...(operation.parameters ?? []).map(({ schema }) => schema),
        ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
        ...Object.values(operation.responses).flatMap(({ content = {} }) =>
          Object.values(content).map(({ schema }) => schema),
        ),
      ]),
    ]
    expect(schemas.length).toBeGreaterThan(ROUTES.length)
    for (const schema of schemas) expect(() => validators.getValidator(schema)).not.toThrow()
    expect(() => validators.getValidator({ type: 'strin' } as never)).toThrow(/strin/)
  })
})

describe('GET /v1/openapi.json', () => {
  const http = useServer()

  it('is the same document', async () => {
    expect(await http.current.json('GET', '/v1/openapi.json')).toEqual(JSON.parse(JSON.stringify(document)))
  })
})
