import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onceLoaded } from '../../kernel/once.ts'
import type { Route } from './route.ts'

/** Nothing is loaded from elsewhere, nothing runs but the page's own script, and no other page may frame it. */
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

const FILES = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/mark.svg': ['mark.svg', 'image/svg+xml'],
} as const

/** Returns every file of the page by its path. None needs a token: without one the page shows nothing. */
export const pageFiles = onceLoaded(async () =>
  Object.entries(FILES).map(([path, [name, type]]) => ({ path, type, text: readFileSync(placeOf(name), 'utf8') })),
)

/** The build copies the files to the same place relative to its chunks. */
const placeOf = (name: string, from = import.meta.url): string => fileURLToPath(new URL(`../page/${name}`, from))

export const answerPage = (text: string, type: string): Response =>
  new Response(text, {
    headers: {
      'Content-Type': type,
      'Content-Security-Policy': CONTENT_POLICY,
      'Cache-Control': 'no-cache',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  })

/** Returns the reference of the routes as a page: the same for everyone, so it needs no token. */
export const referencePage = (routes: readonly Route[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP API · Toolwright</title>
<link rel="icon" href="/mark.svg">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<header class="bar"><a class="mark" href="/">toolwright</a><span class="place">HTTP API</span></header>
<main>
<p class="lead">Every route but <code>POST /v1/sessions</code> takes <code>Authorization: Bearer TOKEN</code>.
<code>toolwright token new --name NAME</code> makes one. <code>GET /v1/openapi.json</code> has the parameters, bodies and answers.</p>
<table class="routes">
<thead><tr><th>Route</th><th>Scope</th><th>What it does</th></tr></thead>
<tbody>
${routes.map(rowOf).join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`

const rowOf = ({ method, path, scope, about }: Route): string =>
  `<tr><td class="code">${method} ${escapeHtml(path)}</td><td><span class="badge">${scope}</span></td><td>${escapeHtml(about)}</td></tr>`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
