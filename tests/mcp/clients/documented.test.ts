import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')

it('the guide names the versions of the libraries that are tested', () => {
  const [, section = ''] = /\n## Client libraries\n([\s\S]*?)\n## /.exec(read('docs/mcp.md')) ?? []
  const documented = [...section.matchAll(/^\| `(@[^` ]+).*?` +([\d.]+) /gm)].map(([, name, version]) => [
    name,
    version,
  ])
  const { devDependencies } = JSON.parse(read('package.json'))
  const { dependencies } = JSON.parse(read('tools/mcp-clients/package.json'))
  const tested = [
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/sdk',
    '@ai-sdk/mcp',
    '@langchain/mcp-adapters',
    '@modelcontextprotocol/inspector',
  ].map(name => [name, { ...devDependencies, ...dependencies }[name]])
  expect(documented).toEqual(tested)
})
