import { z } from 'zod'
import type { JsonSchema } from '../../kernel/json-schema.ts'
import type { Route } from './route.ts'

const SECURITY_SCHEME = 'token'

/** Returns the OpenAPI 3.1 document of these routes. */
export function openApiOf(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const operations = (paths[route.path] ??= {})
    operations[route.method.toLowerCase()] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Toolwright',
      version: '1',
      summary: 'The tool layer that coding agents work through',
      description: 'toolwright serve prints the address of the server, and toolwright token makes tokens.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:{port}', variables: { port: { default: '8000' } } }],
    security: [{ [SECURITY_SCHEME]: [] }],
    paths,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token that toolwright token new has made',
        },
      },
      schemas: { Refusal: schemaOf(refusal, 'output') },
      responses: {
        Refused: { description: 'Nothing was done', content: json({ $ref: '#/components/schemas/Refusal' }) },
      },
    },
  }
}

const refusal = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
})

function operationOf({ id, about, scope, params, query, body, isBodyOptional, answer, events }: Route): object {
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)]
  const stream = { 'text/event-stream': { schema: { type: 'string', description: 'Server-sent events' } } }
  return {
    operationId: id,
    summary: about.split(/(?<=\w)[.:,] /)[0],
    description: `${about}.${scope === 'none' ? '' : ` The token needs the scope '${scope}'.`}`,
    ...(scope === 'none' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: isBodyOptional !== true, content: json(schemaOf(body, 'input')) } }),
    responses: {
      200: {
        description: 'Done',
        content: { ...(events !== 'always' && json(schemaOf(answer, 'output'))), ...(events && stream) },
      },
      ...Object.fromEntries(STATUSES.map(status => [status, { $ref: '#/components/responses/Refused' }])),
    },
  }
}

const STATUSES = ['400', '401', '403', '404', '409', '413', '415', '421', '500', '503'] as const

const json = (schema: object) => ({ 'application/json': { schema } })

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined): readonly object[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' })
  return Object.entries(properties).map(([name, value]) => {
    const { description, ...fieldSchema } = Object(value)
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: fieldSchema,
    }
  })
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}
