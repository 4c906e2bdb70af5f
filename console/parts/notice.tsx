import { notice } from '../state/shell.ts'
import { visibleLine } from './visible-text.ts'

/** What was just done, or why not. */
export const Notice = () => (
  <div role="status" aria-live="polite">
    {notice.value && (
      <div class="toast">
        <span class={notice.value.isBad ? 'refused' : ''}>{visibleLine(notice.value.words)}</span>
        {notice.value.isBad && (
          <button type="button" class="button small" onClick={() => (notice.value = undefined)}>
            Close
          </button>
        )}
      </div>
    )}
  </div>
)
