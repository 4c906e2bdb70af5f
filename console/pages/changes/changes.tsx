import { Empty } from '../../parts/empty.tsx'

export const Changes = () => <Empty title="Changes">This page is being built.</Empty>
