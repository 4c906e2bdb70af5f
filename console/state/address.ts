import { computed, signal } from '@preact/signals'
import { several, workspace } from './workspace.ts'

export const PAGES = ['inbox', 'timeline', 'changes', 'policy', 'code', 'memory', 'numbers', 'tools'] as const

export type Page = (typeof PAGES)[number]

interface Address {
  readonly page: Page
  /** What is open on the page: the segment after the page. */
  readonly id: string | undefined
  readonly query: Readonly<Record<string, string>>
}

const parseAddress = (): Address => {
  const [, page = '', id] = location.pathname.split('/')
  return {
    page: PAGES.find(each => each === page) ?? 'inbox',
    id: id === undefined || id === '' ? undefined : decodeURIComponent(id),
    query: Object.fromEntries(new URLSearchParams(location.search)),
  }
}

/** What the address bar names, which is all that is needed to show it again. */
export const address = signal(parseAddress())
export const page = computed(() => address.value.page)

/** Returns the address of a page, what is open on it, and its filters. */
export function addressOf(to: Page, id?: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const values = Object.entries({ ...(several.value && { workspace: workspace.value }), ...query })
  const text = new URLSearchParams(
    values.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  ).toString()
  return `/${to}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${text === '' ? '' : `?${text}`}`
}

/** Shows another address. What only refines the page replaces the entry of the history. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  address.value = parseAddress()
}

/** Follows links within the console without loading the page again. */
export function followAddresses(): void {
  addEventListener('popstate', () => (address.value = parseAddress()))
  addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.origin !== location.origin || event.defaultPrevented || link.target !== '') return
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (!PAGES.some(each => link.pathname.split('/')[1] === each)) return
    event.preventDefault()
    const query = new URLSearchParams(link.search)
    const wanted = query.get('workspace')
    if (wanted !== null && wanted !== workspace.value) location.assign(link.href)
    else go(link.pathname + link.search)
  })
}
