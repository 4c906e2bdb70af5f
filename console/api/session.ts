const KEY = 'toolwright-token'

/** The token of this tab; another tab needs a link or a token of its own. */
export const sessionToken = (): string | null => sessionStorage.getItem(KEY)

export const keepToken = (token: string): void => sessionStorage.setItem(KEY, token)

export const forgetToken = (): void => sessionStorage.removeItem(KEY)

/** Takes the code out of the address, so that it is in no history, and exchanges it for a token. */
export async function takeLink(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('once')
  if (code === null) return
  history.replaceState(null, '', location.pathname + location.search)
  const response = await fetch('/v1/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(String(Object(Object(answer).error).message ?? 'This link does not work'))
  keepToken(String(Object(answer).token))
}
