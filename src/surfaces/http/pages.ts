import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onceLoaded } from '../../kernel/once.ts'
import type { Route } from './route.ts'

/** Nothing is loaded from elsewhere, nothing runs but the console's own scripts, and no other page may frame it. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The first segments of addresses that the console shows; it reads the rest of an address itself. */
export const CONSOLE_PAGES = ['inbox', 'timeline', 'changes', 'policy', 'code', 'numbers', 'memory', 'tools'] as const

/** A file of the console. */
interface PageFile {
  readonly type: string
  readonly content: Buffer
  /** Its name changes with its content. */
  readonly isHashed: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Returns every file of the console by its path. None needs a token: without one the console shows nothing. */
export const consoleFiles = onceLoaded(async (): Promise<ReadonlyMap<string, PageFile>> => {
  const folder = PLACES.find(place => existsSync(join(place, 'index.html')))
  if (folder === undefined) return new Map([['/', NOT_BUILT]])
  const names = ['index.html', 'mark.svg', ...readdirSync(join(folder, 'assets')).map(name => `assets/${name}`)]
  return new Map(
    names.flatMap(name => {
      const type = TYPES[extname(name)]
      const file = { type: type ?? '', content: readFileSync(join(folder, name)), isHashed: name.startsWith('assets/') }
      return type === undefined ? [] : [[name === 'index.html' ? '/' : `/${name}`, file] as const]
    }),
  )
})

/** Beside the program's own files, and where the build puts it for a program that runs from sources. */
const PLACES = ['../console', '../../../dist/console'].map(place => fileURLToPath(new URL(place, import.meta.url)))

const NOT_BUILT: PageFile = {
  type: 'text/html; charset=utf-8',
  content: Buffer.from(
    '<!doctype html>\n<html lang="en">\n<title>Toolwright</title>\n<p>The console is not built: npm run build\n',
  ),
  isHashed: false,
}

export const answerPage = ({ type, content, isHashed }: PageFile): Response =>
  new Response(new Uint8Array(content), {
    headers: {
      'Content-Type': type,
      'Content-Security-Policy': CONTENT_POLICY,
      'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  })

/** Returns the reference of the routes as a page: the same for everyone, so it needs no token. */
export async function referencePage(routes: readonly Route[]): Promise<PageFile> {
  const styles = [...(await consoleFiles()).keys()].find(path => path.endsWith('.css')) ?? ''
  const content = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP API · Toolwright</title>
<link rel="icon" href="/mark.svg">
<link rel="stylesheet" href="${styles}">
</head>
<body class="reference">
<header><h1><a href="/">Toolwright</a> / HTTP API</h1></header>
<main>
<p class="muted">Every route but <code>POST /v1/sessions</code> takes <code>Authorization: Bearer TOKEN</code>.
<code>toolwright token new --name NAME</code> makes one. <code>GET /v1/openapi.json</code> has the parameters, bodies and answers.</p>
<table>
<thead><tr><th>Route</th><th>Scope</th><th>What it does</th></tr></thead>
<tbody>
${routes.map(rowOf).join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`
  return { type: TYPES['.html'] ?? '', content: Buffer.from(content), isHashed: false }
}

const rowOf = ({ method, path, scope, about }: Route): string =>
  `<tr><td class="code">${method} ${escapeHtml(path)}</td><td>${scope}</td><td>${escapeHtml(about)}</td></tr>`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
