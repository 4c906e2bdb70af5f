import { describe, expect, it } from 'vitest'
import { withoutPrivate } from './private-text.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

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
    // Drives, shares and variables.
    ['at C:/Users/jane/acme-merger/pay.ts:3:4', 'at pay.ts:3:4'],
    ['open "C:\\\\Users\\\\jane\\\\acme\\\\pay.ts" failed', 'open "pay.ts" failed'],
    ['open C:\\Users\\jane/acme/pay.ts', 'open pay.ts'],
    ['at \\\\?\\C:\\acme\\pay.ts:3', 'at pay.ts:3'],
    ['read \\\\host\\share\\x', 'read'],
    ['read //host/acme/plan.md', 'read plan.md'],
    ['read %USERPROFILE%\\acme\\pay.ts', 'read pay.ts'],
    ['read $HOME/acme/pay.ts and ${ACME}/secret/x.py', 'read pay.ts and x.py'],
    // After a word, an option or a colon.
    ['path:/srv/customers/acme/pay.js', 'path:pay.js'],
    ['path:/srv/work/acme-secret/src/pay.js', 'path:pay.js'],
    ['PATH=/srv/acme/bin:/home/bob/tools/x.sh', 'PATH= :x.sh'],
    ['cc -I/srv/acme/include/a.h -o a', 'cc -Ia.h -o a'],
    ['import(/srv/acme/app/(secret)/[id]/page.tsx)', 'import(page.tsx)'],
    ['jane@db1:/srv/acme/pay.js and git@github.com:acme/merger.git', 'pay.js and'],
    // Addresses of bundlers, files and services.
    ['webpack://acme-merger/./src/secret/pay.ts', 'pay.ts'],
    ['webpack-internal:///(rsc)/./src/secret/pay.ts:10:3', 'pay.ts'],
    ['webpack:///./node_modules/zod/lib/a.js', 'node_modules/zod/lib/a.js'],
    ['file:///C:/Users/jane/acme/pay.ts:3', 'pay.ts:3'],
    ['file://nas/acme/secret plan/x.doc', 'x.doc'],
    ['postgres://jane:pass@db.acme.com:5432/customers refused', 'postgres refused'],
    ['https://jane:pass@example.com/a/b?token=1234#part failed', 'https://example.com/a/b failed'],
    ['https://us.er:pa/ss@example.com/x failed', 'failed'],
    ['https://jane@acme.com@example.com/x', 'https://example.com/x'],
    ['GET http://intranet/acme/wiki 404', 'GET 404'],
    ['GET https://git.acme.corp:8443/acme/merger.js 404', 'GET merger.js 404'],
    ['GET http://[fd00::1]:80/acme 404', 'GET 404'],
    ['GET http://100.64.1.2/acme 404', 'GET 404'],
    ['at http://localhost:3000/src/acme/pay.ts:3:4', 'at http://localhost:3000/pay.ts'],
    ['https://jane:[redacted:password]@db.internal/x', ''],
    // Folders with spaces.
    ['open /srv/my acme/secret plan/x.js', 'open x.js'],
    ['open /srv/my acme/secret plan.js', 'open secret plan.js'],
    ['open "/srv/my acme/big secret plan" failed', 'open " " failed'],
    ["open '/srv/my acme/x.js' failed", "open 'x.js' failed"],
    ['/srv/acme/a.js failed to load lib/b.js', 'a.js failed to load lib/b.js'],
    ['/srv/acme/data is not readable by node/process.js', 'is not readable by node/process.js'],
    ['/srv/[redacted:token]/acme/pay.js', 'pay.js'],
    // Homes and what is below this directory.
    ['~bob/acme/pay.ts and ~/notes.md', 'pay.ts and notes.md'],
    ['EACCES /home/bob', 'EACCES'],
    ['EACCES /home/bob and then more', 'EACCES and then more'],
    ['scandir /srv/customers/acme', 'scandir'],
    ['Cannot find module ../../acme/secret/pay.ts', 'Cannot find module pay.ts'],
    ['Cannot find module apps/acme/pay.ts.', 'Cannot find module pay.ts.'],
    // Hosts and addresses.
    ['connect fd00::1234 refused', 'connect refused'],
    ['connect [fe80::1ff:fe23:4567:890a%eth0]:80 refused', 'connect :80 refused'],
    ['connect 100.64.1.2 and 169.254.1.2 and 172.20.0.0/16', 'connect and and'],
    ['lookup of printer.lan, nas.local, db.corp.acme.com and x.home.arpa', 'lookup of , , and'],
    ['getaddrinfo ENOTFOUND acme-db', 'getaddrinfo ENOTFOUND'],
    ['connect ECONNREFUSED acme-db:5432', 'connect ECONNREFUSED :5432'],
    ['interface 0a:1b:2c:3d:4e:5f is down', 'interface is down'],
  ])('%s has nothing private', (query, sent) => {
    expect(withoutPrivate(query, here)).toBe(sent)
  })

  it('has no folder of a path, whatever stands around the path', () => {
    const roots = [
      '/srv/',
      '/opt/',
      'C:\\',
      'D:/',
      '\\\\nas\\',
      '~/',
      '~bob/',
      'file:///',
      'webpack://',
      '../',
      '$HOME/',
    ]
    const folders = ['acme', 'acme/merger', 'my acme/merger', 'acme/(merger)', 'acme/merger-2.0/src']
    const around = [
      (path: string) => path,
      (path: string) => `ENOENT: open '${path}'`,
      (path: string) => `at run (${path}:3:4)`,
      (path: string) => `path:${path}`,
      (path: string) => `"${path}" is not a module`,
      (path: string) => `cannot open ${path}, errno 2`,
      (path: string) => `--config=${path}`,
      (path: string) => `[${path}]`,
    ]
    const paths = roots.flatMap(root =>
      folders.map(folder => {
        // An address has no spaces.
        const path = `${root}${root.startsWith('webpack') ? folder.replace(' ', '%20') : folder}/pay.ts`
        return root.includes('\\') ? path.replaceAll('/', '\\') : path
      }),
    )
    const leaks = paths
      .flatMap(path => around.map(text => text(path)))
      .map(query => ({ query, sent: withoutPrivate(query, here) }))
      .filter(({ sent }) => !sent.includes('pay.ts') || /acme|merger|\bmy\b|nas|bob|srv/.test(sent))
    expect(leaks).toEqual([])
  })

  it.each([
    'fs/promises readFile application/json',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'connect ECONNREFUSED ::1:5432',
    'nginx /etc/nginx/nginx.conf unknown directive',
    "TypeError: Cannot read properties of undefined (reading 'map')",
    'https://example.com/docs/page and/or @types/node',
    'Node 10.15.3 and 8.8.8.8',
    'GET /health 404 at http://localhost:3000',
    'java.home and .env.local are not set',
    'std::fs::read and C::D a:b',
    'line \\n and \\d+ of a regex',
  ])('keeps %s', query => {
    expect(withoutPrivate(query, here)).toBe(query)
  })

  it('takes a query made to keep us busy', () => {
    const before = processorMs()
    for (const text of ['/a ', '/a', 'a/', '\\\\a ', 'a.b/', "'/", '(a)/', '~/ ', ' a.js', 'fd00:', 'a.', 'a@'])
      withoutPrivate(text.repeat(2_000 / text.length), here)
    expect(processorMs() - before).toBeLessThan(2_000)
  })
})
