import { Empty } from '../../parts/empty.tsx'

export const Memory = () => <Empty title="Memory">This page is being built.</Empty>
