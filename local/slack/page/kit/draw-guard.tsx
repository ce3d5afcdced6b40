import {Component, type ReactNode} from 'react'

interface DrawGuardProps {
  /** Another value is another try: a message that an edit has mended shows again. */
  of: unknown
  children: ReactNode
}

/** One message that cannot be drawn says so in its place, and takes nothing else with it. */
export class DrawGuard extends Component<DrawGuardProps, {problem: string | undefined}> {
  override state: {problem: string | undefined} = {problem: undefined}

  static getDerivedStateFromError(error: unknown): {problem: string} {
    return {problem: error instanceof Error ? error.message : String(error)}
  }

  override componentDidUpdate(before: DrawGuardProps): void {
    if (before.of !== this.props.of && this.state.problem !== undefined) {
      this.setState({problem: undefined})
    }
  }

  override render(): ReactNode {
    if (this.state.problem === undefined) return this.props.children
    return <p className="problem">This message cannot be drawn: {this.state.problem}</p>
  }
}
