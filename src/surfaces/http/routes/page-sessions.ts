import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { isoTime } from '../../../kernel/time.ts'
import { CODE_MS } from '../page-sessions.ts'
import { defineRoute } from '../route.ts'

export const pageRoutes = [
  defineRoute({
    id: 'openPage',
    method: 'POST',
    path: '/v1/sessions',
    about: 'Exchange the code of a one-time link for a token of the page',
    scope: 'none',
    body: z.strictObject({ code: z.string().min(1).max(100) }),
    answer: z.strictObject({ token: z.string(), expiresAt: z.string() }),
    run({ body: { code }, pages }) {
      const pageSession = pages.open(code)
      if (pageSession) return { token: pageSession.token, expiresAt: isoTime(pageSession.expiresAt) }
      throw new ToolError('denied', 'This link was used already, or is older than ten minutes', {
        hint: 'toolwright serve prints a new one',
      })
    },
  }),
  defineRoute({
    id: 'makeLink',
    method: 'POST',
    path: '/v1/links',
    about: 'Make a link that opens the page once',
    scope: 'approve',
    body: z.strictObject({}),
    isBodyOptional: true,
    answer: z.strictObject({ path: z.string(), expiresAt: z.string() }),
    run: ({ pages }) => ({ path: `/#once=${pages.newCode()}`, expiresAt: isoTime(Date.now() + CODE_MS) }),
  }),
]
