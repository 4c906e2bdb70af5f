import { useState } from 'preact/hooks'
import { visibleLine } from '../parts/visible-text.ts'

/** What is shown without a session. The address stays, and is opened after it. */
export function SignIn({ why, onToken }: { readonly why: string; readonly onToken: (token: string) => void }) {
  const [token, setToken] = useState('')
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={event => {
          event.preventDefault()
          if (token.trim() !== '') onToken(token.trim())
        }}
      >
        <div class="body">
          <h1>
            <img src="/mark.svg" alt="" /> Open the console
          </h1>
          <p class="muted">
            Run <code>toolwright serve</code> in the workspace: it prints a link that works once. Or paste the token of
            the file that it names.
          </p>
          {why !== '' && (
            <p class="refused" role="alert">
              {visibleLine(why)}
            </p>
          )}
          <div class="field-row">
            <input
              class="field code"
              type="password"
              aria-label="Token"
              placeholder="Token"
              autocomplete="off"
              value={token}
              onInput={({ currentTarget }) => setToken(currentTarget.value)}
            />
            <button type="submit" class="button allowed">
              Open
            </button>
          </div>
        </div>
      </form>
    </main>
  )
}
