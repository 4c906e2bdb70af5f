import { effect, signal } from '@preact/signals'
import { titleText, askerOf } from '../pages/inbox/question-words.ts'
import { addressOf, go } from './address.ts'
import { areQuestionsLoaded, waiting } from './questions.ts'
import { say } from './shell.ts'

const KEY = 'toolwright-notify'

/** Whether the browser shows a notification for each new question: only if a person has asked for it. */
export const areNotificationsOn = signal(localStorage.getItem(KEY) === 'yes')

export async function switchNotifications(): Promise<void> {
  const isAllowed = areNotificationsOn.value || (await Notification.requestPermission()) === 'granted'
  if (!isAllowed) say('The browser does not allow notifications of this page', { isBad: true })
  areNotificationsOn.value = isAllowed && !areNotificationsOn.value
  localStorage.setItem(KEY, areNotificationsOn.value ? 'yes' : 'no')
  if (areNotificationsOn.value) say('New questions are shown as notifications')
}

export function notifyOfQuestions(): void {
  let seen: ReadonlySet<string> | undefined
  effect(() => {
    if (!areQuestionsLoaded.value) return
    const before = seen
    seen = new Set(waiting.value.map(({ id }) => id))
    if (!before || !areNotificationsOn.peek() || document.visibilityState === 'visible') return
    for (const question of waiting.value)
      if (!before.has(question.id)) {
        const shown = new Notification(titleText(question), { body: askerOf(question), tag: question.id })
        shown.addEventListener('click', () => {
          window.focus()
          go(addressOf('inbox', question.id))
        })
      }
  })
}
