import { useMemo } from 'preact/hooks'
import { Frame, PAGE_NAMES } from './parts/frame.tsx'
import { KeyHelp } from './parts/key-help.tsx'
import { Notice } from './parts/notice.tsx'
import { keysForPalette, Palette } from './parts/palette.tsx'
import { Inbox } from './pages/inbox/inbox.tsx'
import { LazyPage } from './pages/lazy-page.tsx'
import { Timeline } from './pages/timeline/timeline.tsx'
import { addressOf, go, page, PAGES } from './state/address.ts'
import { useKeys } from './state/keys.ts'
import { overlay } from './state/shell.ts'
import { switchTheme } from './state/theme.ts'

/** The whole console: the frame, the page that the address names, and what lies over it. */
export function Console() {
  useKeys([
    ...PAGES.map(each => ({
      key: PAGE_NAMES[each][1],
      label: `go to ${PAGE_NAMES[each][0]}`,
      run: () => go(addressOf(each)),
    })),
    { key: '/', label: 'search', run: () => (overlay.value = 'palette') },
    { key: '?', label: 'all keys', run: () => (overlay.value = 'keys') },
    { key: 'd', label: 'light or dark', run: switchTheme },
  ])
  const isOver = overlay.value !== undefined
  // As they were before something lay over the page, which takes all keys.
  const keys = useMemo(() => (isOver ? keysForPalette() : []), [isOver])
  return (
    <>
      <Frame>
        {page.value === 'inbox' ? <Inbox /> : page.value === 'timeline' ? <Timeline /> : <LazyPage page={page.value} />}
      </Frame>
      {overlay.value === 'palette' && <Palette keys={keys} />}
      {overlay.value === 'keys' && <KeyHelp keys={keys} />}
      <Notice />
    </>
  )
}
