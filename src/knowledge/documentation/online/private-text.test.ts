import { describe, expect, it } from 'vitest'
import { withoutPrivate } from './private-text.ts'

const here = { places: ['/srv/work/acme-secret', '/home/jane'] }

describe('a query that leaves the machine', () => {
  it.each([
    ["ENOENT: no such file, open '/home/jane/acme/config.json'", "ENOENT: no such file, open 'config.json'"],
    ['at run (/srv/work/acme-secret/src/pay/charge.ts:10:3)', 'at run (charge.ts:10:3)'],
    ['at file:///Users/John Doe/project/a.js:1', 'at a.js:1'],
    ['Cannot find C:\\Users\\John Doe\\acme\\x.dll', 'Cannot find x.dll'],
    ['open \\\\fileserver\\share\\team\\plan.xlsx failed', 'open plan.xlsx failed'],
    ['at src/billing/internal/charge.ts:12:5', 'at charge.ts:12:5'],
    ['/srv/work/acme-secret/node_modules/zod/lib/a.js:3', 'node_modules/zod/lib/a.js:3'],
    ['connect ECONNREFUSED 10.1.2.3:5432', 'connect ECONNREFUSED :5432'],
    ['login of jane.doe@acme.example failed on db1.acme.internal', 'login of failed on'],
    ['token [redacted:github] rejected', 'token rejected'],
  ])('%s', (query, sent) => {
    expect(withoutPrivate(query, here)).toBe(sent)
  })

  it.each([
    'fs/promises readFile application/json',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'nginx /etc/nginx/nginx.conf unknown directive',
    "TypeError: Cannot read properties of undefined (reading 'map')",
    'https://example.com/docs/page and/or @types/node',
  ])('keeps %s', query => {
    expect(withoutPrivate(query, here)).toBe(query)
  })
})
