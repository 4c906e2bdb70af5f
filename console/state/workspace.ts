import { signal } from '@preact/signals'

export interface ServedWorkspace {
  readonly name: string
  readonly root: string
}

/** The workspaces that the server has. */
export const workspaces = signal<readonly ServedWorkspace[]>([])
/** The name of the one that is shown. */
export const workspace = signal('')
export const several = signal(false)

export function setWorkspaces(all: readonly ServedWorkspace[], wanted: string | undefined): void {
  workspaces.value = all
  several.value = all.length > 1
  workspace.value = (all.find(({ name }) => name === wanted) ?? all[0])?.name ?? ''
}
