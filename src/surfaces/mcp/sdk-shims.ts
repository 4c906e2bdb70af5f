/** Replaces the MCP package's own file of this kind in our build: the same names, without its JSON Schema validator. */
export { default as process } from 'node:process'

export function DefaultJsonSchemaValidator(): never {
  throw new Error('Give the MCP server a jsonSchemaValidator; none is built in here')
}
