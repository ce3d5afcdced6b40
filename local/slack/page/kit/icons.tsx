import type {ReactNode} from 'react'

function Icon({children}: {children: ReactNode}) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

export const MoreIcon = () => (
  <Icon>
    <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
  </Icon>
)

export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6L6 18" />
  </Icon>
)

export const MenuIcon = () => (
  <Icon>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
)

export const ReplyIcon = () => (
  <Icon>
    <path d="M20 15a2 2 0 0 1-2 2H9l-5 4V6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2z" />
    <path d="M8.5 9h7M8.5 12.5h4" />
  </Icon>
)

export const SendIcon = () => (
  <Icon>
    <path d="M4.5 12L3.6 4.6a.7.7 0 0 1 1-.7L20.5 11.300a.8.8 0 0 1 0 1.400L4.6 20.100a.7.7 0 0 1-1-.7z" />
    <path d="M4.5 12H12" />
  </Icon>
)

export const EyeIcon = () => (
  <Icon>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.6" />
  </Icon>
)

export const DownIcon = () => (
  <Icon>
    <path d="M12 5v14M6 13l6 6 6-6" />
  </Icon>
)

/** The app's own mark: an anchor, for a boatswain looks after it. */
export const AnchorIcon = () => (
  <Icon>
    <circle cx="12" cy="5.8" r="2.1" />
    <path d="M12 7.900V19.500M8.4 11.200h7.200M5 13.800c.6 3.4 3.3 5.7 7 5.700s6.4-2.3 7-5.7" />
  </Icon>
)

export const PlusIcon = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
)

export const ClipIcon = () => (
  <Icon>
    <path d="M20 11.500l-8.300 8.300a5 5 0 0 1-7.100-7.100l8.700-8.700a3.400 3.400 0 0 1 4.800 4.800l-8.600 8.600a1.700 1.700 0 0 1-2.400-2.400l7.800-7.800" />
  </Icon>
)

export const SmileIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M8.500 14.200c.8 1.300 2 2 3.500 2s2.700-.7 3.500-2M9 9.800h.01M15 9.800h.01" />
  </Icon>
)

export const LockIcon = () => (
  <Icon>
    <rect x="5.500" y="10.500" width="13" height="9.500" rx="2" />
    <path d="M8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.500" />
    <path d="M16 16l4.500 4.500" />
  </Icon>
)

export const FileIcon = () => (
  <Icon>
    <path d="M13.500 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8.500z" />
    <path d="M13.500 3v5.500H19" />
  </Icon>
)

export const DownloadIcon = () => (
  <Icon>
    <path d="M12 4v11M7 10.500l5 5 5-5M5 20h14" />
  </Icon>
)

export const PeopleIcon = () => (
  <Icon>
    <circle cx="9" cy="8.500" r="3.200" />
    <path d="M3 19c.3-3.300 2.700-5 6-5s5.700 1.700 6 5M15.500 5.600a3.200 3.200 0 0 1 0 5.800M17 14.300c2.300.5 3.800 2.100 4 4.700" />
  </Icon>
)

export const ChevronIcon = () => (
  <Icon>
    <path d="M7 10l5 5 5-5" />
  </Icon>
)

export const BackIcon = () => (
  <Icon>
    <path d="M14.5 6l-6 6 6 6" />
  </Icon>
)

export const ForwardIcon = () => (
  <Icon>
    <path d="M9.5 6l6 6-6 6" />
  </Icon>
)

export const PlayIcon = () => (
  <Icon>
    <path d="M9 7.200v9.600l8-4.800z" fill="currentColor" />
  </Icon>
)

export const ThumbIcon = () => (
  <Icon>
    <path d="M7 10.500v9M7 10.500l4-7.500c1.500 0 2.400 1.100 2.200 2.500L12.700 9h5.400a2 2 0 0 1 2 2.400l-1.200 6.300a2.200 2.200 0 0 1-2.200 1.800H7M7 10.500H4.500v9H7" />
  </Icon>
)

export const TrashIcon = () => (
  <Icon>
    <path d="M4.500 7h15M9.500 7V4.500h5V7M6.500 7l.9 12.500h9.200L17.500 7M10.200 11v5M13.800 11v5" />
  </Icon>
)

export const TrafficIcon = () => (
  <Icon>
    <path d="M4 8.500h14M14.500 5l3.500 3.500-3.500 3.500M20 15.500H6M9.500 12L6 15.500 9.500 19" />
  </Icon>
)

export const PencilIcon = () => (
  <Icon>
    <path d="M5 19l.8-3.800L16 5l3 3L8.800 18.200zM14 7l3 3" />
  </Icon>
)
