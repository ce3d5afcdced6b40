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
