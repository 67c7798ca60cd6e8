# Sourced by tools: prints the comment at the tool's head and ends it with 0 when an argument is
# -h or --help.
for argument in "$@"; do
  case $argument in
  -h | --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  esac
done
