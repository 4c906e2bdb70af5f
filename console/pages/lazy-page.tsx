import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import type { Page } from '../state/address.ts'

type Later = Exclude<Page, 'inbox' | 'timeline'>

/** Pages that are loaded when they are opened first. */
const LOADERS: Readonly<Record<Later, () => Promise<ComponentType>>> = {
  changes: async () => (await import('./changes/changes.tsx')).Changes,
  policy: async () => (await import('./policy/policy.tsx')).Policy,
  code: async () => (await import('./code/code.tsx')).Code,
  memory: async () => (await import('./memory/memory.tsx')).Memory,
  numbers: async () => (await import('./numbers/numbers.tsx')).Numbers,
  tools: async () => (await import('./tools/tools.tsx')).Tools,
}

const loaded = new Map<Later, ComponentType>()

export function LazyPage({ page }: { readonly page: Later }) {
  const [, draw] = useState(0)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (loaded.has(page)) return
    LOADERS[page]().then(
      content => {
        loaded.set(page, content)
        draw(drawn => drawn + 1)
      },
      () => setProblem('It could not be loaded. Load the page again once the server runs.'),
    )
  }, [page])
  const Content = loaded.get(page)
  if (Content) return <Content key={page} />
  return problem === '' ? null : <Empty title="This page is not here">{problem}</Empty>
}
