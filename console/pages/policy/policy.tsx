import { Empty } from '../../parts/empty.tsx'

export const Policy = () => <Empty title="Policy">This page is being built.</Empty>
