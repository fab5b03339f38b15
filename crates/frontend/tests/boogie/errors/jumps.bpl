procedure main()
{
  here:
  goto nowhere, here;
  break;
  here: break there;
}
implementation missing() { }
procedure main() { }
