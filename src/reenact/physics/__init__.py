"""How it moves: actuation, the native closed loop, rollouts, traces, the audit."""
