import type {MemberView} from '../../page-feed/contract.ts'

export function AppBadge({member}: {member: MemberView}) {
  return member.isBot ? <span className="app-badge">APP</span> : null
}
